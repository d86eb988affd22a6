// Bounds the in-memory stores: only the product's own memory may grow in a soak.

/** A store that begins anew, empty, after so many calls. */
export function forgetful<Store extends object>(make: () => Store, calls: number): Store {
  let store = make();
  let left = calls;
  return new Proxy(store, {
    get(_first, name) {
      left -= 1;
      if (left < 0) {
        store = make();
        left = calls;
      }
      return Reflect.get(store, name);
    },
  });
}
