//! Bombs are refused with flat memory. A file of its own, because the peak
//! belongs to the process and other tests would raise it.

#![allow(missing_docs)]

use bajada_formats::{DecodeOptions, decode};

const SHARED: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/cases");

/// Peak resident memory of this process in KiB, where the system tells.
fn peak_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// A PNG header and no pixels: `width` x `height` grey of 16 bits.
fn empty_png(width: u32, height: u32) -> Vec<u8> {
    let chunk = |name: &[u8], data: &[u8]| {
        let body = [name, data].concat();
        let mut crc = u32::MAX;
        for byte in &body {
            crc ^= u32::from(*byte);
            for _ in 0..8 {
                crc = if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
            }
        }
        [&(data.len() as u32).to_be_bytes()[..], &body, &(!crc).to_be_bytes()].concat()
    };
    let header = [&width.to_be_bytes()[..], &height.to_be_bytes(), &[16, 0, 0, 0, 0]].concat();
    let pixels = [0x78, 0x01, 0x01, 0, 0, 0xff, 0xff, 0, 0, 0, 1];
    [
        b"\x89PNG\r\n\x1a\n".to_vec(),
        chunk(b"IHDR", &header),
        chunk(b"IDAT", &pixels),
        chunk(b"IEND", &[]),
    ]
    .concat()
}

/// A TIFF of one strip with `count` values in a tag that is read.
fn swollen_tiff(tag: u16, count: u32) -> Vec<u8> {
    let mut file = b"II\x2a\0\x08\0\0\0".to_vec();
    let fields = [
        (256, 4, 1, 16_000),
        (257, 4, 1, 16_000),
        (258, 3, 1, 16),
        (259, 3, 1, 8),
        (262, 3, 1, 1),
        (273, 4, 1, 8),
        (278, 4, 1, 16_000),
        (279, 4, 1, 64),
        (tag, 4, count, 8),
    ];
    file.extend((fields.len() as u16).to_le_bytes());
    for (tag, kind, count, value) in fields {
        file.extend(u16::to_le_bytes(tag));
        file.extend(u16::to_le_bytes(kind));
        file.extend(u32::to_le_bytes(count));
        file.extend(u32::to_le_bytes(value));
    }
    file.extend([0; 4]);
    file
}

#[test]
fn bombs_are_refused_within_64_mib_of_memory() {
    let mut bombs = vec![
        ("png".to_owned(), empty_png(16_384, 16_384)),
        ("png".to_owned(), empty_png(30_000, 30_000)),
        ("png".to_owned(), empty_png(0x7fff_ffff, 0x7fff_ffff)),
        ("png".to_owned(), empty_png(1 << 28, 1)),
    ];
    for tag in [258, 273, 279, 338, 339, 530, 33550, 34735, 42113] {
        for count in [1 << 16, 1 << 23, 1 << 30, u32::MAX] {
            bombs.push(("tif".to_owned(), swollen_tiff(tag, count)));
        }
    }
    for folder in ["tiff-fuzz", "own"] {
        for entry in std::fs::read_dir(format!("{SHARED}/{folder}")).into_iter().flatten().flatten()
        {
            let path = entry.path();
            let extension = path.extension().map(|part| part.to_string_lossy().into_owned());
            if let (Some(extension), Ok(bytes)) = (extension, std::fs::read(&path)) {
                bombs.push((extension, bytes));
            }
        }
    }
    let Some(before) = peak_kib() else {
        println!("skipped: this system does not tell a process its peak memory");
        return;
    };
    for (extension, bytes) in &bombs {
        let options = DecodeOptions { channel: Some(0), ..DecodeOptions::default() };
        let result = decode(bytes, extension, &options);
        if let Ok(decoded) = result {
            assert!(decoded.values.len() < 1 << 20);
        }
    }
    let grown = peak_kib().map_or(0, |after| after - before);
    println!("{} files, peak grew by {grown} KiB", bombs.len());
    assert!(grown < 64 << 10, "peak grew by {grown} KiB");
}
