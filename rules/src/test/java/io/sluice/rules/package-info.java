/**
 * The rules of the house for all modules, as tests: directions of packages and what their pages say, cycles of classes,
 * sizes, exports, calls of the environment, dependencies, flags of the JVM, and that checkstyle finds what it must.
 * This module sees all others, and none sees it; CONTRIBUTING.md has the reason of each rule.
 */
package io.sluice.rules;
