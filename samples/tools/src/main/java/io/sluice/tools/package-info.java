/**
 * The start of the one jar that has all commands which need no sources.
 */
package io.sluice.tools;
