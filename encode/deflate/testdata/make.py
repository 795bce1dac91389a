"""Writes golden.txt: what zlib 1.2.13 makes of invented data at level 9, as SHA-256. zlib_test.go invents the same."""
import hashlib
import zlib


def invented(size, letters, repeats, seed=1):
    """Letters, and in so many of 100 places what stood before; from 100 on the rest, at the edge of zlib's window."""
    data = bytearray()

    def number(below):
        nonlocal seed
        seed = (seed * 1103515245 + 12345) % 2**31
        return (seed >> 8) % below

    while len(data) < size:
        if len(data) > 0 and number(100) < repeats % 100:
            back, most = 1 + number(min(len(data), 40000)), 300
            if repeats > 100 and len(data) > 2**15:
                back, most = 32500 + number(12), 6
            for _ in range(3 + number(most)):
                data.append(data[-back])
        else:
            data.append(number(letters))
    return bytes(data)


def deep():
    """Letters of which each is used as often as the two before it together: their codes are too long."""
    data, a, b = b'', 1, 1
    for letter in range(20):
        data += bytes([letter]) * a
        a, b = b, a + b
    return data


with open('golden.txt', 'w') as out:
    for size in (0, 1, 3, 100, 5000, 100000, 300000):
        for letters in (1, 4, 26, 256):
            for repeats in (0, 1, 20, 90, 120, 190) if size > 2**15 else (0, 1, 20, 90):
                data = invented(size, letters, repeats)
                print(size, letters, repeats, hashlib.sha256(zlib.compress(data, 9)).hexdigest(), file=out)
    print(0, 0, 0, hashlib.sha256(zlib.compress(deep(), 9)).hexdigest(), file=out)
