package io.sluice.rules;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Document;

/** The rule of the build that finds what the default locale decides. */
class LocaleRuleTest {
    private static final Path RULES = Path.of("..", ".config", "checkstyle.xml");

    /** A mark in the middle of what the rule would find here, too. */
    private static final String MARK = "~";

    private static Pattern rule;

    @BeforeAll
    static void readRule() throws Exception {
        final DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setAttribute(XMLConstants.ACCESS_EXTERNAL_DTD, "");
        factory.setFeature("http://apache.org/xml/features/nonvalidating/load-external-dtd", false);
        final Document document = factory.newDocumentBuilder().parse(RULES.toFile());
        rule = Pattern.compile(XPathFactory.newInstance().newXPath().evaluate(
            "//module[property[@name='id' and @value='DefaultLocale']]/property[@name='format']/@value", document));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "OUT.pri~ntf(\"%d\", count)", "OUT .for~mat(\"%d\", count)", "Log.OUT2.pri~ntf(\"%d\", count)",
        "System.out.pri~ntf(\"%d\", count)", "String.for~mat(\"%d\", count)", "writer().pri~ntf(\"%d\", count)",
        "Locale.get~Default()", "Locale . get~Default(Locale.Category.FORMAT)", "OUT::pri~ntf",
        "String.for~mat(Locale.get~Default(), \"%d\", count)", "import static java.lang.Str~ing.format;",
        "new Scan~ner(input)", "\"%d\".format~ted(count)", "name.toUp~perCase()", "String::toLow~erCase"})
    void shouldFindWhatTheDefaultLocaleDecides(final String code) {
        assertTrue(rule.matcher(code.replace(MARK, "")).find(), code);
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "OUT.printf(Locale.ROOT, \"%d\", count)", "String.format(  Locale.ROOT, \"%d\", count)",
        "CpuList.format(cpus)", "name.toUpperCase(Locale.ROOT)", "Locale.ROOT", "OUT.println(count)"})
    void shouldLeaveTheRestAlone(final String code) {
        assertFalse(rule.matcher(code).find(), code);
    }
}
