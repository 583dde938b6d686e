<?php

// Loads the package without Composer.
declare(strict_types=1);

spl_autoload_register(static function (string $class): void {
    if (str_starts_with($class, 'Mynah\\')) {
        $file = __DIR__ . '/src/' . strtr(substr($class, strlen('Mynah\\')), '\\', '/') . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
