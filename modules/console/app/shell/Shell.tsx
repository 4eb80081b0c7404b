import { Outlet, useRouter, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { RouterProvider } from 'react-aria-components'
import { I18nProvider } from 'react-aria-components/I18nProvider'
import { audience, BASE, hasArea } from '../browser/document.ts'
import { Button } from '../components/Button.tsx'
import { Icon } from '../components/Icon.tsx'
import { useKeys } from '../components/save-shortcut.ts'
import { Toasts } from '../components/Toast.tsx'
import { useResource } from '../data/resources.ts'
import { languageStore, useTexts } from '../locales/index.ts'
import { AccountMenu } from './AccountMenu.tsx'
import { Brand } from './Brand.tsx'
import { ImpersonationBanner } from './ImpersonationBanner.tsx'
import { Unavailable } from './NotFound.tsx'
import { Overlays } from './Overlays.tsx'
import { Provided } from './Provided.tsx'
import { ServerBanner } from './ServerBanner.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { WorkspaceBanner } from './WorkspaceBanner.tsx'
import { WorkspaceSwitcher } from './WorkspaceSwitcher.tsx'

const MENU_BUTTON = 'menu-button'

/** The screen of the address, if the console of this workspace has it. */
function CurrentScreen() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [, module = '', name = ''] = (path.startsWith(BASE) ? path.slice(BASE.length) : path).split('/')
  const resource = useResource(module, name)
  return name === '' || hasArea(module, name) || resource?.offered ? <Outlet /> : <Unavailable />
}

export function Shell() {
  const t = useTexts()
  const keys = useKeys()
  const router = useRouter()
  const path = useRouterState({ select: state => state.location.pathname })
  const [isNavigationOpen, setNavigationOpen] = useState(false)
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation of small windows closes with each new screen
  useEffect(() => setNavigationOpen(false), [path])
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setPaletteOpen(isOpen => !isOpen)
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
  useEffect(() => {
    if (!isNavigationOpen) return
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return
      setNavigationOpen(false)
      document.getElementById(MENU_BUTTON)?.focus()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [isNavigationOpen])
  return (
    <I18nProvider locale={languageStore.get()}>
      <RouterProvider navigate={href => router.navigate({ href })}>
        <a className="skip" href="#content">
          {t('skip')}
        </a>
        <div className={styles.shell}>
          <header className={styles.topbar}>
            <Button
              id={MENU_BUTTON}
              kind="quiet"
              icon="menu"
              label={t('menu')}
              aria-expanded={isNavigationOpen}
              onPress={() => setNavigationOpen(!isNavigationOpen)}
            />
            <Brand />
            {audience === 'teams' && <WorkspaceSwitcher />}
            <button type="button" className={styles.search} onClick={() => setPaletteOpen(true)}>
              <Icon name="search" />
              <span>{t('searchAll')}</span>
              <kbd>{keys('K').join(' ')}</kbd>
            </button>
            <AccountMenu />
          </header>
          <Sidebar isOpen={isNavigationOpen} />
          <main id="content" tabIndex={-1}>
            <ImpersonationBanner />
            <ServerBanner />
            <WorkspaceBanner />
            <Provided>
              <CurrentScreen />
            </Provided>
          </main>
        </div>
        <Overlays isPaletteOpen={isPaletteOpen} onClosePalette={() => setPaletteOpen(false)} />
        <Toasts />
      </RouterProvider>
    </I18nProvider>
  )
}
