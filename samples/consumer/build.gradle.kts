// The project of pom.xml, for Gradle 9.1 or later, which runs on JDK 25: "gradle run". ConsumerProjectTest compares the two; the build
// of Sluice does not run this one: Debian has Gradle 4.4, and Maven Central has none that runs.
plugins {
    application
}

repositories {
    mavenLocal() // where ./sluice install puts it
    mavenCentral()
}

val sbe by configurations.creating
val access = listOf(
    "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
)

dependencies {
    implementation(platform("io.sluice:sluice-bom:0.1.0"))
    implementation("io.sluice:sluice-transport")
    sbe("uk.co.real-logic:sbe-tool:1.38.1")
}

val codecs by tasks.registering(JavaExec::class) {
    val schema = file("src/main/sbe/prices.xml")
    val into = layout.buildDirectory.dir("generated-sources/sbe")
    inputs.file(schema)
    outputs.dir(into)
    classpath = sbe
    mainClass = "uk.co.real_logic.sbe.SbeTool"
    jvmArgs(access) // SBE's tool has a JVM of its own, which opens what Agrona needs
    systemProperty("sbe.output.dir", into.get().asFile.path)
    systemProperty("sbe.validation.stop.on.error", "true")
    systemProperty("sbe.java.generate.interfaces", "true")
    systemProperty("sbe.decode.unknown.enum.values", "true")
    args(schema.path)
}

sourceSets.main {
    java.srcDir(codecs)
}

tasks.withType<JavaCompile> {
    options.release = 25
    options.encoding = "UTF-8"
}

application {
    mainClass = "demo.Main" // on the class path: it names no mainModule
    applicationDefaultJvmArgs = access
}
