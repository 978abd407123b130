<?xml version="1.0" encoding="UTF-8"?>
<!-- SimpleClinicalNote to one fact. Its time and provider are those of the first signature, never mixed with
     another. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform"
                xmlns:d="{vocab_base}/xml/documents#" exclude-result-prefixes="d">
  <xsl:output method="xml" encoding="UTF-8"/>

  <!-- A note without words would be of no use to anybody. -->
  <xsl:template match="/d:SimpleClinicalNote[not(normalize-space(d:chiefComplaint)) and not(normalize-space(d:content))]" priority="1">
    <Models><LeftOut model="SimpleClinicalNote" reason="no_value">it has neither a chief complaint nor any content</LeftOut></Models>
  </xsl:template>

  <xsl:template match="/d:SimpleClinicalNote">
    <xsl:variable name="signature" select="d:signature[1]"/>
    <Models>
      <Model name="SimpleClinicalNote">
        <Field name="date_of_visit"><xsl:value-of select="normalize-space(d:dateOfVisit)"/></Field>
        <Field name="finalized_at"><xsl:value-of select="normalize-space(d:finalizedAt)"/></Field>
        <Field name="visit_type"><xsl:value-of select="normalize-space(d:visitType)"/></Field>
        <Field name="visit_type_type"><xsl:value-of select="normalize-space(d:visitType/@type)"/></Field>
        <Field name="visit_type_value"><xsl:value-of select="normalize-space(d:visitType/@value)"/></Field>
        <Field name="visit_type_abbrev"><xsl:value-of select="normalize-space(d:visitType/@abbrev)"/></Field>
        <Field name="visit_location"><xsl:value-of select="normalize-space(d:visitLocation)"/></Field>
        <Field name="specialty"><xsl:value-of select="normalize-space(d:specialty)"/></Field>
        <Field name="specialty_type"><xsl:value-of select="normalize-space(d:specialty/@type)"/></Field>
        <Field name="specialty_value"><xsl:value-of select="normalize-space(d:specialty/@value)"/></Field>
        <Field name="specialty_abbrev"><xsl:value-of select="normalize-space(d:specialty/@abbrev)"/></Field>
        <Field name="signed_at"><xsl:value-of select="normalize-space($signature/d:at)"/></Field>
        <Field name="provider_name"><xsl:value-of select="normalize-space($signature/d:provider/d:name)"/></Field>
        <Field name="provider_institution"><xsl:value-of select="normalize-space($signature/d:provider/d:institution)"/></Field>
        <Field name="chief_complaint"><xsl:value-of select="normalize-space(d:chiefComplaint)"/></Field>
        <Field name="content"><xsl:value-of select="d:content"/></Field>
      </Model>
    </Models>
  </xsl:template>
</xsl:stylesheet>
