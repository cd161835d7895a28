/** A model of one link: the real log, poster, receiver and device, driven step by step by one thread and a seed. */
package io.sluice.transport.model;
