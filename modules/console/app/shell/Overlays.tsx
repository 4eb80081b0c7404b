/** What opens over the screen: the command palette and the sign-in. Their code loads after the first screen. */
import { lazy, Suspense, useEffect, useState } from 'react'
import { useStore } from '../browser/store.ts'
import { loadMenu } from '../components/LazyMenu.tsx'
import { signInStore } from '../data/api.ts'

const loadPalette = () => import('./Palette.tsx')
const loadSignIn = () => import('./SignInDialog.tsx')
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }))
const SignInDialog = lazy(async () => ({ default: (await loadSignIn()).SignInDialog }))
/** By then, the first screen is complete on a phone with a slow connection, too. */
const LOAD_AFTER_MS = 10_000

interface Props {
  readonly isPaletteOpen: boolean
  readonly onClosePalette: () => void
}

export function Overlays({ isPaletteOpen, onClosePalette }: Props) {
  const isSignInNeeded = useStore(signInStore) !== undefined
  const [used, setUsed] = useState({ palette: false, signIn: false })
  // They stay mounted after their first use, to close with their animation.
  if (isPaletteOpen && !used.palette) setUsed({ ...used, palette: true })
  if (isSignInNeeded && !used.signIn) setUsed({ ...used, signIn: true })
  useEffect(() => {
    const timer = setTimeout(loadAll, LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      <Suspense>{used.palette && <Palette isOpen={isPaletteOpen} onClose={onClosePalette} />}</Suspense>
      <Suspense>{used.signIn && <SignInDialog />}</Suspense>
    </>
  )
}

/** In advance: the server may have been replaced when they are needed. Failures are reported at the first use. */
const loadAll = () => void Promise.allSettled([loadMenu(), loadPalette(), loadSignIn()])
