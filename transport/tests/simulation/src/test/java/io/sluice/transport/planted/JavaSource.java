package io.sluice.transport.planted;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.Trees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/** One file of Java, whose types and methods the compiler's own parser finds. */
final class JavaSource {
    private static final String CONSTRUCTOR = "new";
    /** A constructor, as the parser calls it. */
    private static final String PARSED_CONSTRUCTOR = "<init>";

    /** A type or a method, or one of several methods of a name. */
    private record Member(String description, int start, int end) {
    }

    private final String text;
    private final CompilationUnitTree unit;
    private final SourcePositions positions;

    private JavaSource(final String text, final CompilationUnitTree unit, final SourcePositions positions) {
        this.text = text;
        this.unit = unit;
        this.positions = positions;
    }

    static JavaSource parse(final String text) {
        final SimpleJavaFileObject file =
            new SimpleJavaFileObject(URI.create("string:///Source.java"), SimpleJavaFileObject.Kind.SOURCE) {
                @Override
                public CharSequence getCharContent(final boolean ignoreEncodingErrors) {
                    return text;
                }
            };
        final JavacTask task = (JavacTask) ToolProvider.getSystemJavaCompiler().getTask(
            null, null, problem -> { }, List.of("-proc:none"), null, List.of(file));
        try {
            return new JavaSource(text, task.parse().iterator().next(), Trees.instance(task).getSourcePositions());
        } catch (final IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * {@return the text with a change made}
     *
     * @param names  of a type, of types in it, and of a method.
     * @param change of what stands there.
     * @throws IllegalArgumentException when there is no such place, or when what the change is made of does not stand
     *                                  there exactly once.
     */
    String with(final List<String> names, final Change change) {
        final JavaTokens there = JavaTokens.of(change.there());
        final List<Member> members = members(names);
        final List<Member> holders = new ArrayList<>();
        final List<JavaTokens.Span> found = new ArrayList<>();
        for (final Member member : members) {
            final List<JavaTokens.Span> spans =
                JavaTokens.of(text.substring(member.start(), member.end())).find(there);
            for (final JavaTokens.Span span : spans) {
                found.add(new JavaTokens.Span(member.start() + span.start(), member.start() + span.end()));
            }
            if (!spans.isEmpty()) {
                holders.add(member);
            }
        }
        if (found.size() != 1) {
            throw new IllegalArgumentException((found.isEmpty()
                ? "this does not stand in " + describe(members)
                : "this stands " + found.size() + " times, and not once, in " + describe(holders))
                + ": " + String.join(" ", there.texts()));
        }
        return text.substring(0, found.getFirst().start()) + change.instead() + text.substring(found.getFirst().end());
    }

    private static String describe(final List<Member> members) {
        return members.stream().map(Member::description).collect(Collectors.joining(" and "));
    }

    private List<Member> members(final List<String> names) {
        List<? extends Tree> inside = unit.getTypeDecls();
        List<Tree> found = List.of();
        for (int i = 0; i < names.size(); i++) {
            final String name = names.get(i);
            found = inside.stream().filter(tree -> name.equals(nameOf(tree))).collect(Collectors.toList());
            if (found.isEmpty()) {
                throw new IllegalArgumentException("no method or type " + name + " in "
                    + (i == 0 ? "the file" : String.join(".", names.subList(0, i))));
            }
            inside = found.getFirst() instanceof ClassTree type ? type.getMembers() : List.of();
        }
        return found.stream().map(this::member).toList();
    }

    private static String nameOf(final Tree tree) {
        return switch (tree) {
            case ClassTree type -> type.getSimpleName().toString();
            case MethodTree method -> method.getName().contentEquals(PARSED_CONSTRUCTOR)
                ? CONSTRUCTOR : method.getName().toString();
            default -> null;
        };
    }

    private Member member(final Tree tree) {
        final String parameters = tree instanceof MethodTree method
            ? method.getParameters().stream().map(VariableTree::getType).map(Tree::toString)
                .collect(Collectors.joining(", ", "(", ")"))
            : "";
        return new Member(nameOf(tree) + parameters,
            (int) positions.getStartPosition(unit, tree), (int) positions.getEndPosition(unit, tree));
    }
}
