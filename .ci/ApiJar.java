import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassElement;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.EnclosingMethodAttribute;
import java.lang.classfile.attribute.MethodParametersAttribute;
import java.lang.classfile.attribute.NestHostAttribute;
import java.lang.classfile.attribute.NestMembersAttribute;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.lang.reflect.AccessFlag;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/**
 * Makes a jar of the API of a jar, for japicmp to compare later ones with: the public and protected types of some
 * packages and those that they inherit from, their public and protected members, and no code. A jar of the same classes
 * has the same bytes. {@code .ci/release api} calls it: {@code java .ci/ApiJar.java FROM.jar TO.jar PACKAGE…}
 */
final class ApiJar {
    private static final LocalDateTime TIME = LocalDateTime.of(2000, 1, 1, 0, 0);
    private static final int VISIBLE = ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED;

    private final Map<String, ClassModel> classes = new TreeMap<>();
    private final Set<String> kept = new TreeSet<>();

    private ApiJar(final Path jar) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            for (final JarEntry entry : Collections.list(file.entries())) {
                if (entry.getName().endsWith(".class") && !entry.getName().contains("module-info")) {
                    try (InputStream bytes = file.getInputStream(entry)) {
                        final ClassModel model = ClassFile.of().parse(bytes.readAllBytes());
                        classes.put(model.thisClass().asInternalName(), model);
                    }
                }
            }
        }
    }

    public static void main(final String[] args) throws IOException {
        final ApiJar jar = new ApiJar(Path.of(args[0]));
        for (final String name : List.of(args).subList(2, args.length)) {
            jar.keep(name.replace('.', '/'));
        }
        jar.write(Path.of(args[1]));
        System.out.println(args[1] + ": " + jar.kept.size() + " types, " + Files.size(Path.of(args[1])) + " bytes");
    }

    private void keep(final String folder) {
        for (final String name : classes.keySet()) {
            if (name.substring(0, name.lastIndexOf('/')).equals(folder) && isVisible(name)) {
                keepWithParents(name);
            }
        }
    }

    /** Whether programs reach a type: a nested one says so itself, and its outer one must say so, too. */
    private boolean isVisible(final String name) {
        final ClassModel model = classes.get(name);
        if (model == null) {
            return false;
        }
        final Optional<Integer> nested = model.findAttribute(Attributes.innerClasses()).stream()
            .flatMap(attribute -> attribute.classes().stream())
            .filter(inner -> inner.innerClass().asInternalName().equals(name))
            .map(inner -> inner.outerClass().isPresent() ? inner.flagsMask() : 0).findFirst();
        return nested.isPresent()
            ? (nested.get() & VISIBLE) != 0 && isVisible(name.substring(0, name.lastIndexOf('$')))
            : model.flags().has(AccessFlag.PUBLIC);
    }

    /** Members are inherited from types that programs cannot name. */
    private void keepWithParents(final String name) {
        final ClassModel model = classes.get(name);
        if (model != null && kept.add(name)) {
            model.superclass().map(ClassEntry::asInternalName).ifPresent(this::keepWithParents);
            model.interfaces().forEach(parent -> keepWithParents(parent.asInternalName()));
        }
    }

    private void write(final Path jar) throws IOException {
        // the constants of what is left out stay out, too
        final ClassFile file = ClassFile.of(
            ClassFile.ConstantPoolSharingOption.NEW_POOL,
            ClassFile.DebugElementsOption.DROP_DEBUG,
            ClassFile.LineNumbersOption.DROP_LINE_NUMBERS);
        Files.createDirectories(jar.toAbsolutePath().getParent());
        try (ZipOutputStream out = new ZipOutputStream(Files.newOutputStream(jar))) {
            out.setLevel(9);
            for (final String name : kept) {
                final ZipEntry entry = new ZipEntry(name + ".class");
                entry.setTimeLocal(TIME);
                out.putNextEntry(entry);
                out.write(file.transformClass(classes.get(name), ApiJar::withoutInsides));
                out.closeEntry();
            }
        }
    }

    private static void withoutInsides(final ClassBuilder builder, final ClassElement element) {
        switch (element) {
            case MethodModel method when isHidden(method.flags().flagsMask()) -> { }
            // what is serialised depends on a private one, too
            case FieldModel field when isHidden(field.flags().flagsMask())
                && !field.fieldName().equalsString("serialVersionUID") -> { }
            case MethodModel method -> builder.transformMethod(method, (to, part) -> {
                if (part instanceof CodeModel) {
                    to.withCode(code -> code.aconst_null().athrow());
                } else if (!(part instanceof MethodParametersAttribute)) {
                    to.with(part);
                }
            });
            case EnclosingMethodAttribute _, NestHostAttribute _, NestMembersAttribute _, SourceFileAttribute _ -> { }
            default -> builder.with(element);
        }
    }

    private static boolean isHidden(final int flags) {
        return (flags & VISIBLE) == 0 || (flags & ClassFile.ACC_SYNTHETIC) != 0;
    }
}
