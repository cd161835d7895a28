package io.sluice.verbs.software;

/**
 * The content of a region's header.
 *
 * @param key          lkey and rkey.
 * @param access       access flags.
 * @param base         address of byte 0 in the owner's process.
 * @param length       in bytes.
 * @param dataFolder   name of the process folder that holds the data file.
 * @param dataKey      key that names the data file.
 * @param dataIdentity random number of the data file.
 */
record RegionDescription(
    int key, int access, long base, long length, String dataFolder, int dataKey, long dataIdentity) {
}
