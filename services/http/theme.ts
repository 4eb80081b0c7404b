/** The port `theme`, whose types belong to the service templates. */
import type { Deps } from '@larder-dev/larder/kernel'

export type Theme = Deps<'theme'>['theme']
export type ThemePage = Parameters<Theme['render']>[0]
export type PageContext = Parameters<Theme['render']>[2]
export type ThemeAsset = NonNullable<ReturnType<Theme['assetAt']>>
export type ColorSchemes = ReturnType<Theme['colorSchemes']>
/** Where a template is wrong: lines and columns count from 1; a line of 0 is unknown. */
export type ErrorPlace = NonNullable<ReturnType<Theme['errorPlaces']>>[number]
