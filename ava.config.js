// Tests run compiled, each file in its own process, against one embedded PostgreSQL that the first file starts.
export default {
  files: ['dist/test/**/*.test.js', '!dist/test/system/**', '!dist/test/soak/**'],
  timeout: '2m',
  concurrency: 2,
  workerThreads: false,
}
