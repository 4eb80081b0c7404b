// Full counts of docs/reliability.md: minutes to an hour.
export default { files: ['dist/test/soak/**/*.test.js'], timeout: '60m', concurrency: 1, workerThreads: false }
