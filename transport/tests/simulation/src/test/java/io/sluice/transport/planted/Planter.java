package io.sluice.transport.planted;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Plants one bug: writes the files that it changes into a folder of its own, and compiles these alone. Arguments: the
 * file of the bug and the folder, which gets the classes as {@code classes}; the current folder is the project's. Exit
 * code 1 when the bug does not apply or does not compile, and a line that says why.
 */
public final class Planter {
    private Planter() {
    }

    public static void main(final String[] arguments) throws IOException {
        try {
            plant(PlantedBug.read(Path.of(arguments[0])), SourceTree.of(Path.of("")), Path.of(arguments[1]));
        } catch (final IllegalArgumentException ex) {
            System.err.println(ex.getMessage());
            System.exit(1);
        }
    }

    /**
     * Plant a bug.
     *
     * @throws IllegalArgumentException when it does not apply, or does not compile.
     */
    static void plant(final PlantedBug bug, final SourceTree sources, final Path folder) throws IOException {
        final List<Path> files = new ArrayList<>();
        for (final Map.Entry<Path, String> changed : sources.with(bug).entrySet()) {
            final Path file = folder.resolve(changed.getKey());
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, changed.getValue()));
        }
        compile(bug, files, Files.createDirectories(folder.resolve("classes")));
    }

    /** Against what is on this JVM's own class path. */
    private static void compile(final PlantedBug bug, final List<Path> files, final Path classes) throws IOException {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        final DiagnosticCollector<JavaFileObject> problems = new DiagnosticCollector<>();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(problems, null, null)) {
            final boolean isCompiled = compiler.getTask(
                null, manager, problems,
                List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path")),
                null, manager.getJavaFileObjectsFromPaths(files)).call();
            if (!isCompiled) {
                throw new IllegalArgumentException("bug=" + bug.name() + " does not compile: "
                    + problems.getDiagnostics().stream()
                        .filter(problem -> problem.getKind() == Diagnostic.Kind.ERROR)
                        .map(problem -> problem.getMessage(Locale.ROOT).lines().findFirst().orElse("") + " in line "
                            + problem.getLineNumber() + " of " + problem.getSource().getName())
                        .findFirst().orElse("of an unknown reason"));
            }
        }
    }
}
