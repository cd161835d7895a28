/** What a transport counts and which errors it meets, in files that others read, and why links break. */
package io.sluice.transport.status;
