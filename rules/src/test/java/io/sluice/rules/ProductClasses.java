package io.sluice.rules;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;

/**
 * The classes of all modules, without tests, read once.
 */
final class ProductClasses {
    static final JavaClasses ALL = new ClassFileImporter()
        .withImportOption(new ImportOption.DoNotIncludeTests())
        .importPackages("io.sluice");

    private ProductClasses() {
    }
}
