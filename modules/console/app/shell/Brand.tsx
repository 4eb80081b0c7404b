import { BASE, productLogo } from '../browser/document.ts'
import { product } from '../browser/product.ts'
import { useStore } from '../browser/store.ts'
import { useTexts } from '../locales/index.ts'
import styles from './Brand.module.css'
import { themeStore } from './theme.ts'

export function Brand() {
  const t = useTexts()
  const theme = useStore(themeStore)
  return (
    <a className={styles.brand} href={BASE}>
      {productLogo && (
        <picture>
          {theme === 'system' && <source srcSet={productLogo.dark} media="(prefers-color-scheme: dark)" />}
          <img className={styles.logo} src={theme === 'dark' ? productLogo.dark : productLogo.light} alt="" />
        </picture>
      )}
      <span>{product || t('console')}</span>
    </a>
  )
}
