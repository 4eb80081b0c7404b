/** The files of this package. */
import { fileURLToPath } from 'node:url'
import { packageRoot } from '@larder-dev/larder/kernel/internal'

const folder = (path: string): string => fileURLToPath(new URL(path, packageRoot))

export const THEMES = folder('themes/')
/** Scripts that the build generates. Every theme has them. */
export const BUILT_ASSETS = folder('dist/themes/assets/')
const SHIPPED_FOLDERS = [THEMES, folder('modules/'), folder('dist/modules/')]

export const isShipped = (file: string): boolean => SHIPPED_FOLDERS.some(shipped => file.startsWith(shipped))
