// Bundles files of dist/ with the packages that only they import, which are then no dependencies of a product.
import { join } from 'node:path'
import { build } from 'esbuild'

const BUNDLES = [
  // Loads in one read instead of 160.
  { file: 'kernel/base/typebox', platform: 'node' },
  { file: 'modules/media/services/storage/s3-client', platform: 'node' },
  // Inlines styles and generates plain text. The builds for browsers of its packages can't load files or addresses.
  { file: 'services/templates/mail-html-task', platform: 'browser' },
]

export async function writeBundles(root) {
  const bundle = ({ file, platform }) =>
    build({
      entryPoints: [join(root, `${file}.ts`)],
      outfile: join(root, 'dist', `${file}.js`),
      platform,
      // Modules, which import Node's instead of requiring them.
      mainFields: platform === 'browser' ? ['browser', 'module', 'main'] : ['module', 'main'],
      bundle: true,
      external: ['@larder-dev/*'],
      format: 'esm',
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'warning',
    })
  await Promise.all(BUNDLES.map(bundle))
}
