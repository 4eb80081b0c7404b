/** Solves the challenge of the sign-in page while the person types the password again. */
{
  const fromHex = text => Uint8Array.from(text.match(/../g) ?? [], digits => Number.parseInt(digits, 16))
  const toHex = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')

  async function solve({ nonce, salt, cost, keyLength, keyPrefix }) {
    const start = fromHex(nonce)
    const password = new Uint8Array(start.length + 4)
    password.set(start)
    const view = new DataView(password.buffer)
    const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost }
    for (let counter = 0; ; counter++) {
      view.setUint32(start.length, counter)
      const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
      const derivedKey = toHex(new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8)))
      if (derivedKey.startsWith(keyPrefix)) return { counter, derivedKey }
    }
  }

  const field = document.querySelector('input[data-challenge]')
  // Browsers have WebCrypto on https and localhost only.
  if (field && globalThis.crypto?.subtle) {
    const { form } = field
    const [unsolved, working, solved] = ['unsolved', 'working', 'solved'].map(state =>
      form.querySelector(`[data-challenge-state=${state}]`),
    )
    const show = shown => {
      for (const text of [unsolved, working, solved]) text.hidden = text !== shown
    }
    const button = form.querySelector('button')
    const challenge = JSON.parse(field.dataset.challenge)
    button.disabled = true
    show(working)
    solve(challenge.parameters).then(
      solution => {
        field.value = btoa(JSON.stringify({ challenge, solution }))
        button.disabled = false
        show(solved)
      },
      () => {
        button.disabled = false
        show(unsolved)
      },
    )
  }
}
