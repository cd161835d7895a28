/**
 * The rules of the house for all modules, as tests: directions of packages and what their pages say, cycles of classes,
 * sizes, exports, calls of the environment, dependencies, and that checkstyle finds what it must. They lie in the
 * module that sees all others; CONTRIBUTING.md has the reason of each.
 */
package io.sluice.rules;
