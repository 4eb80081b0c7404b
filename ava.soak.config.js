// Full counts of docs/testing.md: minutes to an hour, with passwords at their full cost.
export default {
  files: ['dist/test/soak/**/*.test.js'],
  timeout: '60m',
  concurrency: 1,
  workerThreads: false,
}
