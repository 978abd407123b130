<?xml version="1.0" encoding="UTF-8"?>
<!-- Problem to one Problem fact. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/d:Problem">
    <Models>
      <Model name="Problem">
        <Field name="name_identifier"><xsl:value-of select="normalize-space(d:name/@value)"/></Field>
        <Field name="name_title"><xsl:value-of select="normalize-space(d:name)"/></Field>
        <Field name="name_system">
          <xsl:call-template name="system"><xsl:with-param name="uri" select="normalize-space(d:name/@type)"/></xsl:call-template>
        </Field>
        <Field name="startDate"><xsl:value-of select="normalize-space(d:dateOnset)"/></Field>
        <Field name="endDate"><xsl:value-of select="normalize-space(d:dateResolution)"/></Field>
        <Field name="notes"><xsl:value-of select="d:comments"/></Field>
      </Model>
    </Models>
  </xsl:template>

  <!-- The known names of a coding system; any other name passes unchanged. -->
  <xsl:template name="system">
    <xsl:param name="uri"/>
    <xsl:choose>
      <xsl:when test="$uri = 'http://snomed.info/sct'
                   or $uri = 'http://purl.bioontology.org/ontology/SNOMEDCT'
                   or $uri = 'urn:oid:2.16.840.1.113883.6.96'
                   or $uri = '2.16.840.1.113883.6.96'">http://purl.bioontology.org/ontology/SNOMEDCT/</xsl:when>
      <xsl:otherwise><xsl:value-of select="$uri"/></xsl:otherwise>
    </xsl:choose>
  </xsl:template>
</xsl:stylesheet>
