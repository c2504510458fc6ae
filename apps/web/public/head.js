// Runs before the first paint: a dark page never flashes white, and the parts that this page will load are asked for while what loads them is
// still on its way. Which files they are, the build wrote beside it.
(function () {
  var stored = function (key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage can be forbidden: then the system's colours count, and nobody is signed in.
      return null;
    }
  };
  var scheme = stored('mantine-color-scheme-value');
  var dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  var root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // The frame of the window of an installed app has the colour of our header.
  function colourFrame() {
    var isDark = root.getAttribute('data-mantine-color-scheme') === 'dark';
    document.querySelector('meta[name="theme-color"]').content = isDark ? '#151a28' : '#ffffff';
  }
  colourFrame();
  new MutationObserver(colourFrame).observe(root, { attributeFilter: ['data-mantine-color-scheme'] });

  var parts = document.currentScript.dataset.space;
  var isInside = stored('authUser') !== null || location.pathname.indexOf('/question/') === 0;
  if (!parts || !isInside) return;
  parts.split(' ').forEach(function (file) {
    var link = document.createElement('link');
    var isStyle = /\.css$/.test(file);
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  });
})();
