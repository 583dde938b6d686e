<?php

declare(strict_types=1);

namespace Mynah;

/**
 * Temporary folders, which are removed with this process.
 *
 * @internal
 */
final class Folder
{
    private const UNIQUE_BYTES = 8;
    private const MODE = 0700;

    public static function temporary(): string
    {
        $folder = sys_get_temp_dir() . '/mynah-php-' . bin2hex(random_bytes(self::UNIQUE_BYTES));
        mkdir($folder, self::MODE);
        $owner = getmypid();
        register_shutdown_function(static function () use ($folder, $owner): void {
            if (getmypid() === $owner) {
                self::remove($folder);
            }
        });
        return $folder;
    }

    public static function remove(string $folder): void
    {
        if (!is_dir($folder)) {
            return;
        }
        foreach (array_diff(scandir($folder), ['.', '..']) as $name) {
            $path = "$folder/$name";
            is_dir($path) && !is_link($path) ? self::remove($path) : unlink($path);
        }
        rmdir($folder);
    }
}
