package io.sluice.samples;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ConditionalExpressionTree;
import com.sun.source.tree.ExpressionTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The texts that the code gives to exceptions, and so to error handlers: arguments of constructors of exceptions, and
 * of the parameters that methods pass on to one. What changes each time is an ellipsis. One thread.
 */
final class SourceMessages {
    /** Texts of less are names: of calls, of fields, of values. */
    static final int MIN_WORDS = 2;
    private static final Pattern WORD = Pattern.compile("[A-Za-z]{2,}");
    private static final Pattern NAMED_VALUE = Pattern.compile("[A-Za-z_.]*=\\S*");

    /** Parameters that reach an exception: name, number of parameters, place. */
    private final Set<String> passedOn = new HashSet<>();
    private final Map<String, Path> found = new TreeMap<>();
    private Path file;

    private SourceMessages() {
    }

    /** Every text, and a file that has it. */
    static Map<String, Path> of(final List<Path> files) throws IOException {
        final List<CompilationUnitTree> units = parsed(files);
        final SourceMessages messages = new SourceMessages();
        int known;
        do {
            known = messages.passedOn.size();
            units.forEach(messages::scan);
        } while (messages.passedOn.size() > known);
        return messages.found;
    }

    private static List<CompilationUnitTree> parsed(final List<Path> files) throws IOException {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            final JavacTask task = (JavacTask) compiler.getTask(
                null, manager, null, List.of("-proc:none"), null, manager.getJavaFileObjectsFromPaths(files));
            final List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            return units;
        }
    }

    /** Every text of the code, whatever becomes of it: what is joined to one is one. */
    static Set<String> texts(final List<Path> files) throws IOException {
        final Set<String> texts = new TreeSet<>();
        final SourceMessages messages = new SourceMessages();
        for (final CompilationUnitTree unit : parsed(files)) {
            new TreeScanner<Void, Void>() {
                @Override
                public Void scan(final Tree tree, final Void nothing) {
                    if (tree instanceof LiteralTree || tree instanceof BinaryTree) {
                        texts.add(messages.text(tree, null));
                    }
                    return super.scan(tree, nothing);
                }

                @Override
                public Void visitBinary(final BinaryTree sum, final Void nothing) {
                    scanOperand(sum.getLeftOperand());
                    scanOperand(sum.getRightOperand());
                    return null;
                }

                /** An operand's texts are parts of the sum, but for those inside calls and the like. */
                private void scanOperand(final Tree operand) {
                    if (operand instanceof ParenthesizedTree inner) {
                        scanOperand(inner.getExpression());
                    } else if (operand instanceof BinaryTree inner) {
                        visitBinary(inner, null);
                    } else if (!(operand instanceof LiteralTree)) {
                        scan(operand, null);
                    }
                }
            }.scan(unit, null);
        }
        return texts;
    }

    private void scan(final CompilationUnitTree unit) {
        file = Path.of(unit.getSourceFile().toUri());
        new TreeScanner<Void, MethodTree>() {
            @Override
            public Void visitMethod(final MethodTree method, final MethodTree outer) {
                return super.visitMethod(method, method);
            }

            @Override
            public Void visitNewClass(final NewClassTree created, final MethodTree method) {
                if (created.getIdentifier().toString().matches("\\w+(Exception|Error)")) {
                    created.getArguments().forEach(argument -> onText(argument, method));
                }
                return super.visitNewClass(created, method);
            }

            @Override
            public Void visitMethodInvocation(final MethodInvocationTree call, final MethodTree method) {
                final String name = call.getMethodSelect().toString().replaceAll("(?s).*\\.", "");
                final List<? extends ExpressionTree> arguments = call.getArguments();
                for (int i = 0; i < arguments.size(); i++) {
                    if (passedOn.contains(name + "/" + arguments.size() + "/" + i)) {
                        onText(arguments.get(i), method);
                    }
                }
                return super.visitMethodInvocation(call, method);
            }
        }.scan(unit, null);
    }

    private void onText(final Tree argument, final MethodTree method) {
        if (argument instanceof ConditionalExpressionTree either) {
            onText(either.getTrueExpression(), method);
            onText(either.getFalseExpression(), method);
            return;
        }
        final String text = text(argument, method);
        final String words = NAMED_VALUE.matcher(text).replaceAll("");
        if (words.contains(" ") && WORD.matcher(words).results().count() >= MIN_WORDS) {
            found.put(text, file);
        }
    }

    private String text(final Tree tree, final MethodTree method) {
        return switch (tree) {
            case final BinaryTree sum when sum.getKind() == Tree.Kind.PLUS ->
                text(sum.getLeftOperand(), method) + text(sum.getRightOperand(), method);
            case final LiteralTree literal when literal.getValue() instanceof String -> (String) literal.getValue();
            case final ParenthesizedTree inner -> text(inner.getExpression(), method);
            case final IdentifierTree name when method != null -> {
                onVariable(name.getName().toString(), method);
                yield "…";
            }
            default -> "…";
        };
    }

    /** A parameter takes what callers give; a variable of the method has been given something there. */
    private void onVariable(final String name, final MethodTree method) {
        final List<? extends VariableTree> parameters = method.getParameters();
        for (int i = 0; i < parameters.size(); i++) {
            final VariableTree parameter = parameters.get(i);
            if (parameter.getName().contentEquals(name) && "String".equals(String.valueOf(parameter.getType()))) {
                passedOn.add(method.getName() + "/" + parameters.size() + "/" + i);
            }
        }
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitVariable(final VariableTree variable, final Void nothing) {
                if (variable.getName().contentEquals(name) && variable.getInitializer() != null
                    && !(variable.getInitializer() instanceof IdentifierTree)) {
                    onText(variable.getInitializer(), method);
                }
                return super.visitVariable(variable, nothing);
            }
        }.scan(method, null);
    }
}
