# SPDX-License-Identifier: GPL-2.0-only
# How Sphinx builds the documentation: "make docs".

project = "gvirt"
author = "the gvirt maintainers"
copyright = "2026, " + author
with open("../dkms.conf", encoding="utf-8") as conf:
    release = conf.read().split('PACKAGE_VERSION="')[1].split('"')[0]

# Fits all parts that are written by hand; no extension is needed.
extensions = []
exclude_patterns = ["examples"]
root_doc = "index"
highlight_language = "none"
nitpicky = True

html_theme = "alabaster"
html_theme_options = {"page_width": "1100px", "body_max_width": "none", "fixed_sidebar": True}
html_copy_source = False
html_show_sphinx = False
