// Any compiled test file by its path, each in a separate process: `npx ava dist/test/modules/forms/pages.test.js`.
export default {
  files: ['dist/test/**/*.test.js'],
  require: ['./dist/test/fixtures/setup.js'],
  timeout: '2m',
  concurrency: 2,
  workerThreads: false,
}
