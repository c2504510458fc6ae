// Runs before the first paint, so that a dark page never flashes white.
(function () {
  var stored = null;
  try {
    stored = localStorage.getItem('mantine-color-scheme-value');
  } catch {
    // Storage can be forbidden; the system's preference is used then.
  }
  var dark = stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  var root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // The frame of the window of an installed app has the colour of our header.
  function colourFrame() {
    var isDark = root.getAttribute('data-mantine-color-scheme') === 'dark';
    document.querySelector('meta[name="theme-color"]').content = isDark ? '#151a28' : '#ffffff';
  }
  colourFrame();
  new MutationObserver(colourFrame).observe(root, { attributeFilter: ['data-mantine-color-scheme'] });
})();
