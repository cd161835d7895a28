package io.sluice.samples.machine;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The view that the doctor has of a machine and of the JVM on it. Nothing of it fails: what cannot be told is absent.
 * One thread.
 */
public interface Machine {
    /**
     * A system property of the JVM.
     *
     * @param name of the property.
     * @return its value, empty when it is not set.
     */
    String property(String name);

    /**
     * Flags that the JVM was started with.
     *
     * @return the flags, in their order.
     */
    List<String> jvmFlags();

    /**
     * Whether code of the class path may call native code without a warning.
     *
     * @return true when it may.
     */
    boolean isNativeAccessEnabled();

    /**
     * Whether the buffers' library may reach the package of the JDK that it needs.
     *
     * @return true when {@code jdk.internal.misc} is open to it.
     */
    boolean isInternalAccessOpen();

    /**
     * Processors that this process may use.
     *
     * @return their number, at least 1.
     */
    int processors();

    /**
     * The beginning of a text file, at most some ten thousand bytes.
     *
     * @param file to read.
     * @return its text, absent when there is none or it cannot be read.
     */
    Optional<String> read(Path file);

    /**
     * The names in a folder.
     *
     * @param folder to list.
     * @return file names, sorted; empty when there is no such folder or it cannot be read.
     */
    List<String> names(Path folder);

    /**
     * Whether this user may read and write.
     *
     * @param path of a file or folder.
     * @return true when it is there and both are allowed.
     */
    boolean mayUse(Path path);

    /**
     * The reason why transports refuse to share a folder that is there.
     *
     * @param folder in question.
     * @return the end of a sentence about it, empty when they take it, or the system does not tell.
     */
    String folderProblem(Path folder);

    /**
     * Room for this user where a folder lies.
     *
     * @param folder on the file system in question.
     * @return bytes, absent when there is no such folder or the system does not tell.
     */
    OptionalLong usableBytes(Path folder);

    /**
     * The libraries and devices of the machine.
     *
     * @return what is there.
     */
    RdmaSurvey rdma();
}
