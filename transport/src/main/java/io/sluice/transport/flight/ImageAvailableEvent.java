package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A subscription has an image. Committed by the conductor. */
@Name("io.sluice.ImageAvailable")
@Label("Image Available")
@Category({"Sluice", "Images"})
@Description("An image has joined its stream; its handler is about to be called")
final class ImageAvailableEvent extends LinkEvent {
    @Label("Position")
    @Description("Position where the image joins the stream")
    long position;
}
