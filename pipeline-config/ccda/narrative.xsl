<?xml version="1.0" encoding="UTF-8"?>
<!-- The text of the sections of a clinical document for people, without its layout. -->
<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:h="urn:hl7-org:v3" exclude-result-prefixes="h">
  <xsl:output method="xml" encoding="UTF-8"/>

  <xsl:template match="/">
    <Narrative>
      <xsl:apply-templates select="h:ClinicalDocument/h:component/h:structuredBody/h:component/h:section"/>
    </Narrative>
  </xsl:template>

  <xsl:template match="h:section">
    <Section>
      <xsl:attribute name="title">
        <xsl:value-of select="normalize-space(h:title)"/>
        <xsl:if test="not(normalize-space(h:title))"><xsl:value-of select="h:code/@displayName"/></xsl:if>
      </xsl:attribute>
      <xsl:apply-templates select="h:text" mode="text"/>
      <xsl:apply-templates select="h:component/h:section"/>
    </Section>
  </xsl:template>

  <!-- Elements that only describe layout, such as content, are replaced by what they contain. -->
  <xsl:template match="*" mode="text"><xsl:apply-templates mode="text"/></xsl:template>
  <xsl:template match="text()" mode="text"><Text><xsl:value-of select="."/></Text></xsl:template>
  <xsl:template match="h:br" mode="text"><Break/></xsl:template>
  <!-- 10 to the power of 9 is not 109. -->
  <xsl:template match="h:sup//text()" mode="text" priority="2"><Text><xsl:value-of select="translate(., '0123456789+-', '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻')"/></Text></xsl:template>
  <xsl:template match="h:sub//text()" mode="text" priority="2"><Text><xsl:value-of select="translate(., '0123456789+-', '₀₁₂₃₄₅₆₇₈₉₊₋')"/></Text></xsl:template>
  <xsl:template match="h:paragraph | h:caption | h:footnote" mode="text"><Paragraph><xsl:apply-templates mode="text"/></Paragraph></xsl:template>
  <xsl:template match="h:content[@revised = 'delete'] | h:footnoteRef" mode="text"/>
  <!-- Pictures stand below the text, which says their captions. -->
  <xsl:template match="h:renderMultiMedia" mode="text"><xsl:apply-templates select="h:caption" mode="text"/></xsl:template>

  <xsl:template match="h:list" mode="text">
    <xsl:apply-templates select="h:caption" mode="text"/>
    <List><xsl:apply-templates select="h:item" mode="text"/></List>
  </xsl:template>
  <xsl:template match="h:item" mode="text"><Item><xsl:apply-templates mode="text"/></Item></xsl:template>

  <xsl:template match="h:table" mode="text">
    <xsl:apply-templates select="h:caption" mode="text"/>
    <Table><xsl:apply-templates select="h:thead/h:tr | h:tr | h:tbody/h:tr | h:tfoot/h:tr" mode="text"/></Table>
  </xsl:template>
  <xsl:template match="h:tr" mode="text">
    <Row><xsl:apply-templates select="h:th | h:td" mode="text"/></Row>
  </xsl:template>
  <xsl:template match="h:thead/h:tr | h:tr[h:th and not(h:td)]" mode="text">
    <Row head="true"><xsl:apply-templates select="h:th | h:td" mode="text"/></Row>
  </xsl:template>
  <xsl:template match="h:th | h:td" mode="text"><Cell><xsl:apply-templates mode="text"/></Cell></xsl:template>
</xsl:stylesheet>
