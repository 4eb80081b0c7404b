// What needs Debian's packages: see scripts/system.mjs for the list.
export default { files: ['dist/test/system/**/*.test.js'], timeout: '5m', concurrency: 1, workerThreads: false }
