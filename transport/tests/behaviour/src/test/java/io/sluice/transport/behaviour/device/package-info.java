/** Devices that fail, vanish, come back, or have too little room. */
package io.sluice.transport.behaviour.device;
