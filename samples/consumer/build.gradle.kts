// The same project as pom.xml for Gradle 9.1 or later, which runs on JDK 25: "gradle run". ConsumerProjectTest compares the two; the build
// of Sluice does not run this one: Debian has Gradle 4.4, and Maven Central has none that runs.
plugins {
    application
}

repositories {
    mavenLocal() // where ./sluice install puts it
    mavenCentral()
}

dependencies {
    implementation(platform("io.sluice:sluice-bom:0.1.0"))
    implementation("io.sluice:sluice-transport")
}

tasks.withType<JavaCompile> {
    options.release = 25
    options.encoding = "UTF-8"
}

application {
    mainClass = "demo.Main" // on the class path: it names no mainModule
    applicationDefaultJvmArgs = listOf(
        "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
        "--enable-native-access=ALL-UNNAMED",
    )
}
