/** What the data path needs from the operating system: processor affinity and isolation. */
package io.sluice.os;
