// The tests of archives with a gzip file that exceeds every limit.
process.env.LARDER_GZIP_GIB = '10'
await import('../modules/media/services/checks/archives.test.ts')
