package io.sluice.transport.flight;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** A subscription has an image no more. Committed by the conductor. */
@Name("io.sluice.ImageUnavailable")
@Label("Image Unavailable")
@Category({"Sluice", "Images"})
@Description("The consumers have passed the end of an image, or its subscription is closed")
final class ImageUnavailableEvent extends LinkEvent {
    @Label("Position")
    @Description("Position up to which the image was consumed")
    long position;
}
