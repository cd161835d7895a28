/**
 * Verbs objects without a device, for unit tests: they record what was posted and complete what a test tells them to.
 */
package io.sluice.transport.stub;
