"""Writes golden.txt: what zlib 1.2.13 makes of invented data at level 9, as SHA-256. zlib_test.go invents the same."""
import hashlib
import zlib


def invented(size, letters, repeats, seed=1):
    data = bytearray()

    def number(below):
        nonlocal seed
        seed = (seed * 1103515245 + 12345) % 2**31
        return (seed >> 8) % below

    while len(data) < size:
        if len(data) > 0 and number(100) < repeats:
            back = 1 + number(min(len(data), 40000))
            for _ in range(3 + number(300)):
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
            for repeats in (0, 1, 20, 90):
                data = invented(size, letters, repeats)
                print(size, letters, repeats, hashlib.sha256(zlib.compress(data, 9)).hexdigest(), file=out)
    print(0, 0, 0, hashlib.sha256(zlib.compress(deep(), 9)).hexdigest(), file=out)
