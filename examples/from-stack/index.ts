// `nodecloud import` writes the resources into `imported`, and adds its import here.
