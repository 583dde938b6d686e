<?php

declare(strict_types=1);

namespace Mynah;

/**
 * Provider tokens in Apple's form.
 *
 * @internal
 */
final class Signing
{
    /** The bytes of a number of a signature. */
    private const NUMBER_BYTES = 32;
    /** Where the first number of a signature begins: behind the heads of the sequence and of the number. */
    private const FIRST = 2;

    /** A token of a key; `$issuedAt` is in seconds since 1970. */
    public static function providerToken(string $key, string $keyId, string $teamId, int $issuedAt): string
    {
        $parts = [['alg' => 'ES256', 'kid' => $keyId], ['iss' => $teamId, 'iat' => $issuedAt]];
        $signed = implode('.', array_map(fn ($part) => self::encoded(json_encode($part)), $parts));
        if (!openssl_sign($signed, $der, $key, OPENSSL_ALGO_SHA256)) {
            throw new MynahException('the development key does not sign: ' . openssl_error_string());
        }
        return "$signed." . self::encoded(self::numbers($der));
    }

    /** The two numbers of a signature in DER. */
    private static function numbers(string $der): string
    {
        $found = '';
        $at = self::FIRST;
        foreach ([1, 2] as $_) {
            $length = ord($der[$at + 1]);
            $number = ltrim(substr($der, $at + 2, $length), "\0");
            $found .= str_pad($number, self::NUMBER_BYTES, "\0", STR_PAD_LEFT);
            $at += 2 + $length;
        }
        return $found;
    }

    private static function encoded(string $bytes): string
    {
        return rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
    }
}
