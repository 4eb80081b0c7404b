// Bundles files of dist/ with the packages that only they import, which are then no dependencies of a product, and
// scripts of themes with the files that they share with other programs.
import { join } from 'node:path'
import { build } from 'esbuild'

const BUNDLES = [
  // Loads in one read instead of 160.
  { file: 'kernel/base/typebox', platform: 'node' },
  { file: 'modules/media/services/storage/s3-client', platform: 'node' },
  // Inlines styles and generates plain text. The builds for browsers of its packages can't load files or addresses.
  { file: 'services/templates/mail-html-task', platform: 'browser' },
]
/** Every theme has it. */
const THEME_SCRIPT = { file: 'bin/client/runtime/topics', output: 'themes/assets/larder-topics' }

/** Returns the paths of scripts that have another name than their sources. */
export async function writeBundles(root) {
  const bundle = ({ file, platform, output = file, ...more }) =>
    build({
      entryPoints: [join(root, `${file}.ts`)],
      outfile: join(root, 'dist', `${output}.js`),
      platform,
      // Modules, which import Node's instead of requiring them.
      mainFields: platform === 'browser' ? ['browser', 'module', 'main'] : ['module', 'main'],
      bundle: true,
      external: ['@larder-dev/*'],
      format: 'esm',
      sourcemap: true,
      sourcesContent: false,
      logLevel: 'warning',
      ...more,
    })
  const script = { ...THEME_SCRIPT, platform: 'browser', target: 'es2022', minify: true, sourcemap: false }
  await Promise.all([...BUNDLES, script].map(bundle))
  return [join(root, 'dist', `${THEME_SCRIPT.output}.js`)]
}
