/** Several processes over the public API: they are killed, stopped and cut off, and journals are compared. */
package io.sluice.transport.endtoend;
