<?xml version="1.0" encoding="UTF-8"?>
<!-- HBA1C to one Measurement whose type is the name of the root. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:HBA1C">
    <Models>
      <Model name="Measurement">
        <Field name="type">HBA1C</Field>
        <Field name="value"><xsl:value-of select="normalize-space(@value)"/></Field>
        <Field name="unit"><xsl:value-of select="normalize-space(@unit)"/></Field>
        <Field name="datetime"><xsl:value-of select="normalize-space(@datetime)"/></Field>
      </Model>
    </Models>
  </xsl:template>
</xsl:stylesheet>
