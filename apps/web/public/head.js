// Runs before the first paint: a dark page never flashes white, and the chunks of this page preload before the module
// that imports them has arrived. The build writes their names into `data-space`.
(function () {
  var stored = function (key) {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage may be blocked: use the system's colour scheme, signed out.
      return null;
    }
  };
  var scheme = stored('mantine-color-scheme-value');
  var dark = scheme === 'dark' || (scheme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  var root = document.documentElement;
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // The window frame of an installed app has the colour of the header.
  function updateThemeColour() {
    var isDark = root.getAttribute('data-mantine-color-scheme') === 'dark';
    document.querySelector('meta[name="theme-color"]').content = isDark ? '#151a28' : '#ffffff';
  }
  updateThemeColour();
  new MutationObserver(updateThemeColour).observe(root, { attributeFilter: ['data-mantine-color-scheme'] });

  var files = document.currentScript.dataset.space;
  var isInside = stored('authUser') !== null || location.pathname.indexOf('/question/') === 0;
  if (!files || !isInside) return;
  files.split(' ').forEach(function (file) {
    var link = document.createElement('link');
    var isStyle = /\.css$/.test(file);
    link.rel = isStyle ? 'preload' : 'modulepreload';
    if (isStyle) link.as = 'style';
    link.crossOrigin = '';
    link.href = file;
    document.head.append(link);
  });
})();
