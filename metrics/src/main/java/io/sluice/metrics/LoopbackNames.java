package io.sluice.metrics;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.net.HttpURLConnection;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Refuses, with 403, requests to a server on the loopback that call this host by another name than the loopback's: a
 * page of a stranger, whose name was made to lead to the loopback, would read the answers in the browser of somebody
 * who works here. Stateless; the server's threads.
 */
final class LoopbackNames extends Authenticator {
    private static final Pattern LOOPBACK =
        Pattern.compile("(localhost|127(\\.[0-9]{1,3}){3}|\\[::1]|\\[0:0:0:0:0:0:0:1])(:[0-9]{1,5})?");
    private static final Success ALLOWED = new Success(new HttpPrincipal("anybody", "loopback"));
    private static final Failure REFUSED = new Failure(HttpURLConnection.HTTP_FORBIDDEN);

    @Override
    public Result authenticate(final HttpExchange exchange) {
        final String host = exchange.getRequestHeaders().getFirst("Host");
        return host == null || LOOPBACK.matcher(host.toLowerCase(Locale.ROOT)).matches() ? ALLOWED : REFUSED;
    }

    @Override
    public String toString() {
        return "LoopbackNames{}";
    }
}
