/** What a transport counts and which errors it meets, in files that others read, why links break and what holds up. */
package io.sluice.transport.status;
