/**
 * on-telephone: turns "Keep on this telephone" on and off at the account page. Without it, or where the browser cannot, the
 * page says so, and everything else works as it does.
 */
(() => {
  'use strict';

  if (!window.isSecureContext || !('serviceWorker' in navigator) || !window.indexedDB || !window.crypto?.subtle) {
    return;
  }
  // The style shows the button from now on, and hides what is said in its place.
  document.documentElement.classList.add('telephone');

  const ask = (worker, what) =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = ({ data }) => resolve(data);
      worker.postMessage({ ask: what }, [port2]);
    });

  const active = async (registration) => {
    const worker = registration.active ?? registration.waiting ?? registration.installing;
    if (worker.state !== 'activated') {
      await new Promise((resolve) => {
        worker.addEventListener('statechange', () => worker.state === 'activated' && resolve());
      });
    }
    return worker;
  };

  const show = (part, state) => {
    part.dataset.state = state;
    for (const one of part.querySelectorAll('[data-when]')) {
      one.hidden = !one.dataset.when.split(' ').includes(state);
    }
  };

  const stateOf = async (scope) => {
    const registration = await navigator.serviceWorker.getRegistration(scope);
    const worker = registration?.active;
    const { on } = worker ? await ask(worker, 'state') : { on: false };
    return on ? 'on' : 'off';
  };

  const press = async (part, what) => {
    const { worker: address, scope } = part.dataset;
    show(part, 'busy');
    try {
      if (what === 'keep') {
        const worker = await active(await navigator.serviceWorker.register(address, { scope }));
        const { kept } = await ask(worker, 'keep');
        show(part, kept > 0 ? 'on' : 'failed');
      } else {
        const registration = await navigator.serviceWorker.getRegistration(scope);
        if (registration?.active) {
          await ask(registration.active, 'remove');
        }
        show(part, 'off');
      }
    } catch {
      show(part, 'failed');
    }
  };

  document.addEventListener('DOMContentLoaded', () => {
    const part = document.querySelector('[data-worker]');
    if (!part) {
      return;
    }
    stateOf(part.dataset.scope).then(
      (state) => show(part, state),
      () => show(part, 'off'),
    );
    part.addEventListener('click', ({ target }) => {
      const button = target instanceof Element && target.closest('[data-telephone]');
      if (button) {
        press(part, button.dataset.telephone);
      }
    });
  });
})();
